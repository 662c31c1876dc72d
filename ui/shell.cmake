# The window's sources: what ui/CMakeLists.txt builds into lockstep_models and lockstep_ui beside the charts.
set(_shell ${CMAKE_CURRENT_LIST_DIR})
set(LOCKSTEP_MODELS_SHELL_SOURCES
  ${_shell}/models/experiment_document.cpp
  ${_shell}/models/experiment_shelf.cpp
  ${_shell}/models/form_check.cpp
  ${_shell}/models/form_contents.cpp
  ${_shell}/models/form_model.cpp
  ${_shell}/models/form_undo.cpp
  ${_shell}/models/log_model.cpp
  ${_shell}/models/numbers.cpp
  ${_shell}/models/parameter_text.cpp
  ${_shell}/models/run_columns.cpp
  ${_shell}/models/run_cost.cpp
  ${_shell}/models/run_groups_model.cpp
  ${_shell}/models/run_tree.cpp
  ${_shell}/models/runs_filter.cpp
  ${_shell}/models/runs_table_model.cpp
  ${_shell}/models/variant_edits.cpp
  ${_shell}/models/variants_model.cpp
  ${_shell}/models/titles.cpp)
set(LOCKSTEP_UI_SHELL_SOURCES
  ${_shell}/forms/about_editor.cpp
  ${_shell}/forms/combine_dialog.cpp
  ${_shell}/forms/download_row.cpp
  ${_shell}/forms/own_parameters_row.cpp
  ${_shell}/forms/experiment_form.cpp
  ${_shell}/forms/fold.cpp
  ${_shell}/forms/parameter_field.cpp
  ${_shell}/forms/parameter_form.cpp
  ${_shell}/forms/variant_delegate.cpp
  ${_shell}/forms/variants_dialog.cpp
  ${_shell}/forms/variants_editor.cpp
  ${_shell}/forms/vary_dialog.cpp
  ${_shell}/pages/bottleneck_strip.cpp
  ${_shell}/pages/chart_panel.cpp
  ${_shell}/pages/parameter_picker.cpp
  ${_shell}/pages/drawer_bar.cpp
  ${_shell}/pages/doctor_dialog.cpp
  ${_shell}/pages/hosts_page.cpp
  ${_shell}/pages/findings_page.cpp
  ${_shell}/pages/gallery.cpp
  ${_shell}/pages/log_page.cpp
  ${_shell}/pages/message_strip.cpp
  ${_shell}/pages/rank_strip.cpp
  ${_shell}/pages/run_list.cpp
  ${_shell}/pages/clean_up.cpp
  ${_shell}/pages/run_differences.cpp
  ${_shell}/pages/runs_actions.cpp
  ${_shell}/pages/runs_export.cpp
  ${_shell}/pages/report_page.cpp
  ${_shell}/pages/report_preview.cpp
  ${_shell}/pages/runs_page.cpp
  ${_shell}/pages/runs_view.cpp
  ${_shell}/shell/centre_pages.cpp
  ${_shell}/shell/chosen_runs.cpp
  ${_shell}/shell/command_palette.cpp
  ${_shell}/shell/confirmation.cpp
  ${_shell}/shell/desktop.cpp
  ${_shell}/shell/document_actions.cpp
  ${_shell}/shell/export_command.cpp
  ${_shell}/shell/export_request.cpp
  ${_shell}/shell/header_bar.cpp
  ${_shell}/shell/help_window.cpp
  ${_shell}/shell/language.cpp
  ${_shell}/shell/last_session.cpp
  ${_shell}/shell/machine_dialogs.cpp
  ${_shell}/shell/main_window.cpp
  ${_shell}/shell/parameter_options.cpp
  ${_shell}/shell/notices.cpp
  ${_shell}/shell/report_command.cpp
  ${_shell}/shell/run_controller.cpp
  ${_shell}/shell/run_tabs.cpp
  ${_shell}/shell/shown_feeds.cpp
  ${_shell}/shell/store_worker.cpp
  ${_shell}/shell/variant_places.cpp
  ${_shell}/shell/window_actions.cpp
  ${_shell}/shell/window_layout.cpp
  ${_shell}/theme/glyphs.cpp
  ${_shell}/theme/theme.cpp
  ${_shell}/theme/window_style.cpp
  ${_shell}/widgets/column_picker.cpp
  ${_shell}/widgets/elided_label.cpp
  ${_shell}/widgets/focus.cpp
  ${_shell}/widgets/paged_views.cpp
  ${_shell}/widgets/clock_note.cpp
  ${_shell}/widgets/run_picker.cpp
  ${_shell}/widgets/text_question.cpp
  ${_shell}/pages/bundle_dialog.cpp
  ${_shell}/shell/stored_runs.cpp
  ${_shell}/widgets/elided_combo_box.cpp)

# Icons and translations are compiled in. Translations: `cmake --build . --target lockstep_lupdate` brings the files up
# to date with the sources; lrelease makes the .qm files here, at build time.
set(_resources ${PROJECT_SOURCE_DIR}/resources)
set(_made ${CMAKE_CURRENT_BINARY_DIR}/shell_resources)
file(MAKE_DIRECTORY ${_made}/i18n)
add_custom_command(OUTPUT ${_made}/qrc_shell.cpp
  COMMAND Qt6::rcc --name shell --output ${_made}/qrc_shell.cpp ${_resources}/shell.qrc
  DEPENDS ${_resources}/shell.qrc ${_resources}/icons/lockstep.svg VERBATIM)
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
list(APPEND LOCKSTEP_UI_SHELL_SOURCES ${_made}/qrc_shell.cpp ${_made}/qrc_translations.cpp)
add_custom_target(lockstep_lupdate
  COMMAND Qt6::lupdate -silent -no-obsolete -I . -I core -locations none -tr-function-alias QT_TRANSLATE_NOOP+=LS_TR
    ${PROJECT_SOURCE_DIR}/core ${PROJECT_SOURCE_DIR}/ui -extensions cpp,h
    -ts ${PROJECT_SOURCE_DIR}/translations/lockstep_zh_CN.ts
  COMMAND Qt6::lupdate -silent -no-obsolete -pluralonly -I . -I core -locations none
    ${PROJECT_SOURCE_DIR}/ui -extensions cpp,h -ts ${PROJECT_SOURCE_DIR}/translations/lockstep_en.ts
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
