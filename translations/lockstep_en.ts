<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>lockstep::ui::RunsPage</name>
    <message numerus="yes">
        <source>%n runs have been deleted.</source>
        <translation>
            <numerusform>%n run has been deleted.</numerusform>
            <numerusform>%n runs have been deleted.</numerusform>
        </translation>
    </message>
</context>
</TS>
