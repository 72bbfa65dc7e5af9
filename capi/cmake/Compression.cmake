# Archives and the files of torch.save are zip files: zlib for their checksums and for deflate. Without it they are left out; bzip2 adds a method
# that is read, lzma one that is read and written, and
# libdeflate makes checksums faster than a disk wants bytes. Only the files that use them know of it.
find_package(ZLIB QUIET)
if(NOT TD_PORTABLE)
  find_package(BZip2 QUIET)
  find_package(LibLZMA QUIET)
  find_path(LIBDEFLATE_INCLUDE_DIR libdeflate.h)
  find_library(LIBDEFLATE_LIBRARY deflate)
  mark_as_advanced(LIBDEFLATE_INCLUDE_DIR LIBDEFLATE_LIBRARY)
endif()
file(GLOB _archive_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/core/storage/archive/*.cpp
  ${PROJECT_SOURCE_DIR}/core/storage/torch_save/torch_save_read.cpp
  ${PROJECT_SOURCE_DIR}/core/storage/torch_save/storages.cpp)

function(td_use_compression target)
  if(NOT ZLIB_FOUND)
    message(STATUS "zlib: not found, no archives (.tdz), no files of torch.save (.pt)")
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
  if(LIBDEFLATE_INCLUDE_DIR AND LIBDEFLATE_LIBRARY)
    list(APPEND uses TD_HAS_LIBDEFLATE=1)
    target_include_directories(${target} SYSTEM PRIVATE ${LIBDEFLATE_INCLUDE_DIR})
    target_link_libraries(${target} PRIVATE ${LIBDEFLATE_LIBRARY})
  endif()
  set_property(SOURCE ${_archive_sources} ${PROJECT_SOURCE_DIR}/core/storage/storage.cpp ${PROJECT_SOURCE_DIR}/core/build_info.cpp
    APPEND PROPERTY COMPILE_DEFINITIONS ${uses})
endfunction()
