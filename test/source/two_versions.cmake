# SPDX-License-Identifier: BSL-1.0
# Links two versions of the library into one program, and runs it: the static library and its headers, and copies whose
# inline namespace is v0 in place of v1.
#   cmake -DCXX=... -DFLAGS=... -DNM=nm -DOBJCOPY=objcopy -DSOURCE=. -DGENERATED=... -DLIBRARY=libapsp.a -DLIBS=... -DWORK=... -P two_versions.cmake
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/headers)
file(COPY ${SOURCE}/apsp ${SOURCE}/adaptors ${SOURCE}/detail DESTINATION ${WORK}/headers FILES_MATCHING PATTERN "*.hpp")
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(sh -c "find headers -name '*.hpp' -exec sed -i 's/apsp::inline v1/apsp::inline v0/' {} +")
run(sh -c "'${NM}' '${LIBRARY}' 2>/dev/null | grep -o '[^ ]*4apsp2v1[^ ]*$' | sort -u > names")
run(sh -c "sed s/4apsp2v1/4apsp2v0/g names | paste -d ' ' names - > renamed")
run(${OBJCOPY} --redefine-syms=renamed ${LIBRARY} libother.a)
set(source ${SOURCE}/test/source/two_versions.cpp)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
run(${CXX} ${flags} -I${SOURCE} -I${GENERATED} -c ${source} -o this.o)
run(${CXX} ${flags} -DAPSP_TEST_OTHER -Iheaders -I${GENERATED} -c ${source} -o other.o)
separate_arguments(libs UNIX_COMMAND "${LIBS}")
run(${CXX} ${flags} this.o other.o ${LIBRARY} libother.a ${libs} -o two_versions)
run(./two_versions)
