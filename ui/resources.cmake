# Icons and translations are compiled in. Translations: `cmake --build . --target lockstep_lupdate` brings the files up
# to date with the sources; lrelease makes the .qm files here, at build time.
set(_resources ${PROJECT_SOURCE_DIR}/resources)
set(_made ${CMAKE_CURRENT_BINARY_DIR}/shell_resources)
file(MAKE_DIRECTORY ${_made}/i18n)
# The pages of the manual (resources/docs) are the window's help; shell.qrc lists them.
file(STRINGS ${_resources}/shell.qrc _listed REGEX "<file")
list(TRANSFORM _listed REPLACE " *<file[^>]*>(.*)</file>" "${_resources}/\\1")
add_custom_command(OUTPUT ${_made}/qrc_shell.cpp
  COMMAND Qt6::rcc --name shell --output ${_made}/qrc_shell.cpp ${_resources}/shell.qrc
  DEPENDS ${_resources}/shell.qrc ${_listed} VERBATIM)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_resources}/shell.qrc)
set(_qrc "<RCC><qresource prefix=\"/i18n\">\n")
set(_qm)
foreach(_language en zh_CN)
  set(_ts ${PROJECT_SOURCE_DIR}/translations/lockstep_${_language}.ts)
  add_custom_command(OUTPUT ${_made}/lockstep_${_language}.qm
    COMMAND Qt6::lrelease -silent ${_ts} -qm ${_made}/lockstep_${_language}.qm
    DEPENDS ${_ts} VERBATIM)
  list(APPEND _qm ${_made}/lockstep_${_language}.qm)
  string(APPEND _qrc "<file alias=\"lockstep_${_language}.qm\">${_made}/lockstep_${_language}.qm</file>\n")
endforeach()
file(CONFIGURE OUTPUT ${_made}/translations.qrc CONTENT "${_qrc}</qresource></RCC>\n" @ONLY)
add_custom_command(OUTPUT ${_made}/qrc_translations.cpp
  COMMAND Qt6::rcc --name translations --output ${_made}/qrc_translations.cpp ${_made}/translations.qrc
  DEPENDS ${_made}/translations.qrc ${_qm} VERBATIM)
set_source_files_properties(${_made}/qrc_shell.cpp ${_made}/qrc_translations.cpp PROPERTIES
  SKIP_AUTOMOC ON COMPILE_OPTIONS "-Wno-old-style-cast;-Wno-shadow")
set(LOCKSTEP_UI_RESOURCES ${_made}/qrc_shell.cpp ${_made}/qrc_translations.cpp)
add_custom_target(lockstep_lupdate
  COMMAND Qt6::lupdate -silent -no-obsolete -I . -I core -locations none -tr-function-alias QT_TRANSLATE_NOOP+=LS_TR
    ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/ui -extensions cpp,h
    -ts ${PROJECT_SOURCE_DIR}/translations/lockstep_zh_CN.ts
  COMMAND Qt6::lupdate -silent -no-obsolete -pluralonly -I . -I core -locations none
    ${PROJECT_SOURCE_DIR}/ui -extensions cpp,h -ts ${PROJECT_SOURCE_DIR}/translations/lockstep_en.ts
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
