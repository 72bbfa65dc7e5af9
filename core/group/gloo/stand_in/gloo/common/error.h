// Stands in for Gloo's header: nothing of it is named by LibTorch's.
#pragma once
