module tensordict

go 1.24
