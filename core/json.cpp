// Boost.JSON, compiled once, so that no Boost library is needed at run time.
#include <boost/json/src.hpp>
