# OpenSSL computes SHA-256. Not every Linux has the same major version of it: what is to run anywhere brings its own.
if(TD_PORTABLE)
  set(OPENSSL_USE_STATIC_LIBS ON)
endif()
find_package(OpenSSL 1.1 REQUIRED COMPONENTS Crypto)
