#include "exchange/report/docx_parts.h"

#include "exchange/report/escape.h"

#include <fmt/format.h>

namespace lockstep::report {

namespace {

constexpr std::string_view Declaration = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
)";
constexpr std::string_view Main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
constexpr std::string_view Relations = "http://schemas.openxmlformats.org/package/2006/relationships";
constexpr std::string_view Office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

std::string contentTypes()
{
    return std::string(Declaration) + R"(<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Default Extension="png" ContentType="image/png"/>
<Default Extension="svg" ContentType="image/svg+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>
<Override PartName="/word/numbering.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"/>
<Override PartName="/word/footer.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footer+xml"/>
<Override PartName="/word/settings.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml"/>
<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
</Types>
)";
}

std::string packageRelations()
{
    return fmt::format(R"({}<Relationships xmlns="{}">
<Relationship Id="rId1" Type="{}/officeDocument" Target="word/document.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>
</Relationships>
)",
        Declaration, Relations, Office);
}

std::string properties(const Report& report)
{
    return fmt::format(
        R"({}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>{}</dc:title><dc:creator>Lockstep</dc:creator><dc:language>{}</dc:language>
</cp:coreProperties>
)",
        Declaration, xmlEscaped(report.title), report.language == Language::Chinese ? "zh-CN" : "en-US");
}

std::string documentRelations(const std::vector<DocxPicture>& pictures)
{
    std::string text = fmt::format(R"({}<Relationships xmlns="{}">
<Relationship Id="rId1" Type="{}/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="{}/numbering" Target="numbering.xml"/>
<Relationship Id="rId3" Type="{}/footer" Target="footer.xml"/>
<Relationship Id="rId4" Type="{}/settings" Target="settings.xml"/>
)",
        Declaration, Relations, Office, Office, Office, Office);
    for (const DocxPicture& each : pictures) {
        for (const std::string& id : {each.pngId(), each.svgId()}) {
            text += fmt::format(R"(<Relationship Id="{}" Type="{}/image" Target="media/image{}.{}"/>
)",
                id, Office, each.number, id.substr(0, 3));
        }
    }
    return text + "</Relationships>\n";
}

/// Paragraphs of a style: its name, its size in half points, its spacing in twentieths of a point.
struct Style {
    std::string_view id;
    std::string_view name;
    std::string_view paragraph;
    std::string_view run;
};

constexpr Style Styles[] = {
    {"Title", "Title", R"(<w:spacing w:before="240" w:after="240"/><w:jc w:val="center"/>)",
        R"(<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="SimHei" w:cs="Arial"/><w:b/><w:sz w:val="40"/>)"},
    {"Heading1", "heading 1", R"(<w:keepNext/><w:spacing w:before="360" w:after="120"/><w:outlineLvl w:val="0"/>)",
        R"(<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="SimHei" w:cs="Arial"/><w:b/><w:sz w:val="30"/>)"},
    {"Heading2", "heading 2", R"(<w:keepNext/><w:spacing w:before="240" w:after="100"/><w:outlineLvl w:val="1"/>)",
        R"(<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="SimHei" w:cs="Arial"/><w:b/><w:sz w:val="26"/>)"},
    {"Heading3", "heading 3", R"(<w:keepNext/><w:spacing w:before="200" w:after="80"/><w:outlineLvl w:val="2"/>)",
        R"(<w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="SimHei" w:cs="Arial"/><w:b/><w:sz w:val="24"/>)"},
    {"Caption", "caption", R"(<w:spacing w:before="60" w:after="160"/>)",
        R"(<w:color w:val="333333"/><w:sz w:val="19"/>)"},
    {"Picture", "Picture", R"(<w:keepNext/><w:spacing w:before="160" w:after="0"/><w:jc w:val="center"/>)", ""},
    {"ListBullet", "List Bullet", R"(<w:numPr><w:numId w:val="1"/></w:numPr><w:spacing w:after="60"/>)", ""},
    {"Question", "Question", R"(<w:keepNext/><w:spacing w:before="200" w:after="80"/>)", "<w:b/>"},
    {"Answer", "Answer", R"(<w:spacing w:after="480"/>)", R"(<w:color w:val="777777"/>)"},
    {"TableText", "Table Text", R"(<w:spacing w:before="20" w:after="20" w:line="240" w:lineRule="auto"/>)",
        R"(<w:sz w:val="18"/>)"},
    {"TableTextSmall", "Table Text Small", R"(<w:spacing w:before="20" w:after="20" w:line="240" w:lineRule="auto"/>)",
        R"(<w:sz w:val="15"/>)"},
    {"Listing", "Listing",
        R"(<w:shd w:val="clear" w:color="auto" w:fill="F4F4F4"/><w:spacing w:after="0" w:line="240" w:lineRule="auto"/>)",
        R"(<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:eastAsia="SimSun" w:cs="Consolas"/><w:sz w:val="16"/>)"}};

std::string styles(const Report& report)
{
    std::string text = fmt::format(R"({}<w:styles xmlns:w="{}">
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="SimSun" w:cs="Times New Roman"/><w:sz w:val="22"/><w:lang w:val="en-US" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault>
<w:pPrDefault><w:pPr><w:widowControl/><w:spacing w:after="120" w:line="{}" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
<w:style w:type="table" w:default="1" w:styleId="TableNormal"><w:name w:val="Normal Table"/><w:tblPr><w:tblCellMar><w:left w:w="80" w:type="dxa"/><w:right w:w="80" w:type="dxa"/></w:tblCellMar></w:tblPr></w:style>
<w:style w:type="table" w:styleId="ReportTable"><w:name w:val="Report Table"/><w:basedOn w:val="TableNormal"/><w:tblPr><w:tblBorders><w:top w:val="single" w:sz="8" w:color="444444"/><w:bottom w:val="single" w:sz="8" w:color="444444"/><w:insideH w:val="single" w:sz="4" w:color="D0D0D0"/></w:tblBorders></w:tblPr></w:style>
)",
        Declaration, Main, report.language == Language::Chinese ? 312 : 276);
    for (const Style& style : Styles) {
        text += fmt::format(
            R"(<w:style w:type="paragraph" w:styleId="{}"><w:name w:val="{}"/><w:basedOn w:val="Normal"/><w:qFormat/><w:pPr>{}</w:pPr><w:rPr>{}</w:rPr></w:style>
)",
            style.id, style.name, style.paragraph, style.run);
    }
    return text + "</w:styles>\n";
}

std::string numbering()
{
    return fmt::format(
        R"({}<w:numbering xmlns:w="{}"><w:abstractNum w:abstractNumId="0"><w:multiLevelType w:val="singleLevel"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="360" w:hanging="240"/></w:pPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>
)",
        Declaration, Main);
}

/// The page's number.
std::string footer()
{
    return fmt::format(
        R"({}<w:ftr xmlns:w="{}"><w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:fldSimple w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p></w:ftr>
)",
        Declaration, Main);
}

std::string settings()
{
    return fmt::format(
        R"({}<w:settings xmlns:w="{}"><w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat></w:settings>
)",
        Declaration, Main);
}

} // namespace

std::vector<File> docxParts(const Report& report, const std::string& document, const std::vector<DocxPicture>& pictures)
{
    std::vector<File> parts{{"[Content_Types].xml", contentTypes()}, {"_rels/.rels", packageRelations()},
        {"docProps/core.xml", properties(report)}, {"word/document.xml", document},
        {"word/_rels/document.xml.rels", documentRelations(pictures)}, {"word/styles.xml", styles(report)},
        {"word/numbering.xml", numbering()}, {"word/footer.xml", footer()}, {"word/settings.xml", settings()}};
    for (const DocxPicture& each : pictures) {
        const std::string path = "word/media/image" + std::to_string(each.number);
        parts.push_back({path + ".png", each.picture->png});
        parts.push_back({path + ".svg", each.picture->svg});
    }
    return parts;
}

} // namespace lockstep::report
