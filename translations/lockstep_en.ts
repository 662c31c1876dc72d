<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>lockstep::ui::RingPanel</name>
    <message numerus="yes">
        <source>%n recorded step(s)</source>
        <translation>
            <numerusform>%n recorded step</numerusform>
            <numerusform>%n recorded steps</numerusform>
        </translation>
    </message>
</context>
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
<context>
    <name>lockstep::ui::TimelineView</name>
    <message numerus="yes">
        <source>%n shorter one(s) in this pixel</source>
        <translation>
            <numerusform>%n shorter one in this pixel</numerusform>
            <numerusform>%n shorter ones in this pixel</numerusform>
        </translation>
    </message>
</context>
</TS>
