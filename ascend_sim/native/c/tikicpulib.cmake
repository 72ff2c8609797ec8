# find_package(tikicpulib): projects ask for it when they configure, also those that do not build kernels for the processor.
foreach(_ascend_sim_product "${ASCEND_PRODUCT_TYPE}" "${SOC_VERSION}")
  if(_ascend_sim_product AND NOT TARGET tikicpulib::${_ascend_sim_product})
    add_library(tikicpulib::${_ascend_sim_product} INTERFACE IMPORTED)
  endif()
endforeach()
unset(_ascend_sim_product)
set(tikicpulib_FOUND TRUE)
