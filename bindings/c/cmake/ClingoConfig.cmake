# The target `libclingo` on asp: set ASP_LIBRARY_DIR to the folder with libclingo.so (default: the one above this file), and
# CLINGO_INCLUDE_DIR to the folder with clingo.h and clingo.hh, such as that of the Python package clingo.
set(Clingo_VERSION 5.8.3)
set(ASP_LIBRARY_DIR "${CMAKE_CURRENT_LIST_DIR}/.." CACHE PATH "the folder with libclingo.so")
find_path(CLINGO_INCLUDE_DIR clingo.h)
find_library(CLINGO_LIBRARY clingo PATHS "${ASP_LIBRARY_DIR}" NO_DEFAULT_PATH)
if(NOT CLINGO_INCLUDE_DIR OR NOT CLINGO_LIBRARY)
    set(Clingo_FOUND FALSE)
    set(Clingo_NOT_FOUND_MESSAGE "set CLINGO_INCLUDE_DIR (clingo.h) and ASP_LIBRARY_DIR (libclingo.so)")
    return()
endif()
if(NOT TARGET libclingo)
    add_library(libclingo SHARED IMPORTED)
    set_target_properties(libclingo PROPERTIES
        IMPORTED_LOCATION "${CLINGO_LIBRARY}"
        IMPORTED_SONAME libclingo.so.4
        INTERFACE_INCLUDE_DIRECTORIES "${CLINGO_INCLUDE_DIR}"
        INTERFACE_COMPILE_FEATURES cxx_std_17)
endif()
