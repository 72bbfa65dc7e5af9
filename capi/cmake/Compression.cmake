# Archives are zip files: zlib for their checksums and for deflate. Without it they are left out; bzip2 and lzma only add
# methods that are read. Only the files that use them know of it.
find_package(ZLIB QUIET)
find_package(BZip2 QUIET)
find_package(LibLZMA QUIET)
file(GLOB _archive_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/core/storage/zip_*.cpp ${PROJECT_SOURCE_DIR}/core/storage/archive_*.cpp)

function(td_use_compression target)
  if(NOT ZLIB_FOUND)
    message(STATUS "zlib: not found, no archives (.tdz)")
    return()
  endif()
  set(uses TD_HAS_ZLIB=1)
  target_link_libraries(${target} PRIVATE ZLIB::ZLIB)
  if(BZIP2_FOUND)
    list(APPEND uses TD_HAS_BZIP2=1)
    target_link_libraries(${target} PRIVATE BZip2::BZip2)
  endif()
  if(LIBLZMA_FOUND)
    list(APPEND uses TD_HAS_LZMA=1)
    target_link_libraries(${target} PRIVATE LibLZMA::LibLZMA)
  endif()
  set_property(SOURCE ${_archive_sources} ${PROJECT_SOURCE_DIR}/core/storage/storage.cpp ${PROJECT_SOURCE_DIR}/core/build_info.cpp
    APPEND PROPERTY COMPILE_DEFINITIONS ${uses})
endfunction()
