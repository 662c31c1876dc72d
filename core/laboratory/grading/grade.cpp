#include "laboratory/grading/grade.h"

#include "analysis/plain_text.h"
#include "base/draft_folder.h"
#include "base/translate.h"
#include "laboratory/grading/submissions.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace lockstep::laboratory::grading {

namespace {

/// A hand-in without its runs, which are read once it is known to count.
struct Candidate {
    Submission submission;
    HandIn handIn;
    std::vector<Student> countsFor{}; ///< those who handed in nothing newer
};

constexpr std::size_t LongestTime = 40; ///< of a hand-in, in bytes; anyone may have written it

class Grader {
public:
    explicit Grader(const GradeRequest& request)
        : m_request(request)
    { }

    Result<Grading> grading()
    {
        LOCKSTEP_TRY(checkKeys());
        LOCKSTEP_TRY(checkMarks());
        m_made.laboratory = m_request.laboratories.front();
        if (const LaboratoryKey* key = keyOf(m_made.laboratory.revision)) {
            m_made.key = *key;
        }
        m_made.marks.laboratory = m_made.laboratory.id;
        m_made.marks.salt = m_request.before && !m_request.before->salt.empty() ? m_request.before->salt : newSalt();
        m_made.figures = emptyFigures(m_made.laboratory);
        LOCKSTEP_TRY_ASSIGN(const auto unpacked, DraftFolder::makeTemporary());
        LOCKSTEP_TRY_ASSIGN(auto found, submissionsIn(m_request.submissions, unpacked));
        m_made.otherFiles = std::move(found.others);
        for (Submission& each : found.handIns) {
            LOCKSTEP_TRY(m_request.progress.checkCancelled());
            read(std::move(each));
        }
        chooseNewest();
        LOCKSTEP_TRY(markAll());
        finish();
        return std::move(m_made);
    }

private:
    [[nodiscard]] Result<void> checkKeys() const
    {
        for (const Laboratory& each : m_request.laboratories) {
            if (each.id != m_request.laboratories.front().id) {
                return failure(LS_TR("Messages", "%1 and %2 are no revisions of one laboratory"),
                    {verbatim(m_request.laboratories.front().id), verbatim(each.id)});
            }
        }
        for (const LaboratoryKey& key : m_request.keys) {
            const auto of = std::ranges::find(m_request.laboratories, key.revision, &Laboratory::revision);
            if (key.laboratory != m_request.laboratories.front().id) {
                return failure(LS_TR("Messages", "the key is of %1; the laboratory is %2"),
                    {verbatim(key.laboratory), verbatim(m_request.laboratories.front().id)});
            }
            if (of == m_request.laboratories.end()) {
                continue; // hand-ins of that revision bring the laboratory
            }
            if (const auto errors = checkKey(key, *of); !errors.empty()) {
                return errors.front();
            }
        }
        return {};
    }
    /// Marks of another laboratory in the same folder would count as work without a hand-in.
    [[nodiscard]] Result<void> checkMarks() const
    {
        std::vector<std::string> ids{m_request.before ? m_request.before->laboratory : std::string()};
        std::ranges::transform(m_request.others, std::back_inserter(ids), &Marks::laboratory);
        const std::string& own = m_request.laboratories.front().id;
        const auto other = std::ranges::find_if(ids, [&own](const auto& id) { return !id.empty() && id != own; });
        return other == ids.end()
            ? Result<void>()
            : failure(LS_TR("Messages", "the marks are of %1; the laboratory is %2; choose another folder"),
                {verbatim(*other), verbatim(own)});
    }
    void read(Submission submission)
    {
        const std::string name = analysis::cleanLine(submission.name);
        if (submission.refused) {
            m_made.unread.push_back({name, *submission.refused});
            return;
        }
        auto handIn = readHandIn(submission.path, m_request.laboratories.front().id);
        if (!handIn) { // of the file's own text: its path is that of the unpacked copy
            m_made.unread.push_back(
                {name, handIn.error().cause.empty() ? handIn.error() : failureOf(handIn.error().cause)});
        } else if (keyOf(handIn->laboratory.revision) == nullptr) {
            m_made.unread.push_back({name,
                failure(LS_TR("Messages", "it is of revision %1, for which no key was given"),
                    {handIn->laboratory.revision})});
        } else if (std::ranges::all_of(handIn->state.students(), isNobody)) {
            m_made.unread.push_back({name, failure(LS_TR("Messages", "it names no student"))});
        } else {
            m_candidates.push_back({std::move(submission), *std::move(handIn)});
        }
    }
    static bool isNobody(const Student& student)
    {
        return normalizedNumber(student.number).empty() && normalizedNumber(student.name).empty();
    }
    /// A student's newest hand-in counts: by the LMS's number of the upload, else by its own time.
    void chooseNewest()
    {
        m_haveUploads
            = std::ranges::none_of(m_candidates, [](const Candidate& each) { return each.submission.upload == 0; });
        std::ranges::stable_sort(m_candidates, [this](const Candidate& some, const Candidate& others) {
            return m_haveUploads ? some.submission.upload > others.submission.upload
                                 : some.handIn.at > others.handIn.at;
        });
        std::vector<Student> done;
        for (Candidate& each : m_candidates) {
            for (const Student& student : each.handIn.state.students()) {
                if (!shareStudents({student}, done)) {
                    each.countsFor.push_back(student);
                    done.push_back(student);
                }
            }
        }
    }
    [[nodiscard]] const LaboratoryKey* keyOf(int revision) const
    {
        const auto found = std::ranges::find(m_request.keys, revision, &LaboratoryKey::revision);
        return found == m_request.keys.end() ? nullptr : &*found;
    }
    Result<void> markAll()
    {
        const auto counts = [](const Candidate& each) { return !each.countsFor.empty(); };
        const auto all = static_cast<std::size_t>(std::ranges::count_if(m_candidates, counts));
        std::size_t done = 0;
        for (Candidate& each : m_candidates) {
            LOCKSTEP_TRY(m_request.progress.checkCancelled());
            if (counts(each)) {
                mark(each);
                if (m_request.progress.marked) {
                    m_request.progress.marked(++done, all);
                }
            }
        }
        return m_request.progress.checkCancelled(); // the check of the last one's code may have been cut short
    }
    void mark(Candidate& candidate)
    {
        HandInRunsRead runs = readHandInRuns(candidate.submission.path);
        const ReadWork work{analysis::cleanLine(candidate.submission.name), candidate.submission.path,
            std::move(candidate.handIn), std::move(runs.runs), std::move(runs.refused)};
        const int revision = work.handIn.laboratory.revision;
        const auto given = std::ranges::find(m_request.laboratories, revision, &Laboratory::revision);
        const bool isGiven = given != m_request.laboratories.end();
        const Laboratory& laboratory = isGiven ? *given : work.handIn.laboratory;

        WorkMarks marks;
        marks.students = candidate.countsFor;
        marks.file = work.file;
        marks.at = analysis::cleanLine(analysis::shortened(work.handIn.at, LongestTime));
        marks.revision = revision;
        addRemarks(marks, work, isGiven ? &*given : nullptr);
        marks.isLate = lateness(marks, candidate.submission.isLate);
        if (!isGiven) {
            if (const auto errors = checkKey(*keyOf(revision), laboratory); !errors.empty()) {
                m_made.unread.push_back({work.file, errors.front()});
                return;
            }
        }
        marks.steps = markedSteps(laboratory, *keyOf(revision), work, m_request.checkCode);
        choose(marks, work);
        m_made.traces.push_back(tracesOf(laboratory, work));
        if (revision == m_made.laboratory.revision) {
            addWork(m_made.figures, m_made.laboratory, work);
        }
        m_made.marks.works.push_back(std::move(marks));
    }
    static ChosenRun chosenOf(const WorkMarks& marks, const ReadWork& work, const analysis::RunRecord& run)
    {
        ChosenRun chosen{work.file, marks.students, run, {}};
        for (const analysis::RunRecord& other : work.runs) {
            if (other.status == analysis::RunStatus::Finished && analysis::areRepeats(run, other)) {
                chosen.repeats.push_back(other.summary.finalLoss);
            }
        }
        return chosen;
    }
    /// Of its runs those that GradeRequest::again names.
    void choose(const WorkMarks& marks, const ReadWork& work)
    {
        const auto names = [this](const std::string& name) {
            return !name.empty() && std::ranges::find(m_request.again, name) != m_request.again.end();
        };
        const bool isStudents = std::ranges::any_of(marks.students, names, &Student::number);
        std::map<QByteArray, const analysis::RunRecord*> others;
        for (const analysis::RunRecord& run : work.runs) {
            if (isStudents || names(run.id.text)) {
                m_made.chosen.push_back(chosenOf(marks, work, run));
            } else if (m_request.againSample > 0 && run.status == analysis::RunStatus::Finished) {
                const std::string seed = m_made.marks.salt + run.id.text;
                others[QCryptographicHash::hash(seed, QCryptographicHash::Sha256)] = &run;
            }
        }
        std::size_t place = 0;
        for (const auto& [hash, run] : others) {
            m_drawn.emplace(std::pair(place++, hash), chosenOf(marks, work, *run));
            if (m_drawn.size() > m_request.againSample) {
                m_drawn.erase(std::prev(m_drawn.end()));
            }
        }
    }
    /// `given`: the laboratory that it is marked by; nullptr: its own copy, which anyone may have changed.
    void addRemarks(WorkMarks& marks, const ReadWork& work, const Laboratory* given) const
    {
        if (given == nullptr) {
            marks.remarks.emplace_back(
                LS_TR("Messages", "marked by its own copy of the laboratory: revision %1 was not given"),
                std::vector<Text>{work.handIn.laboratory.revision});
        } else if (given->sha256 != work.handIn.laboratory.sha256) {
            marks.remarks.emplace_back(
                LS_TR("Messages", "its copy of the laboratory is not the one given; marked by the one given"));
        }
        if (const auto& fault = work.handIn.journal.fault()) {
            marks.remarks.emplace_back(*fault);
        }
        for (const Error& each : work.refusedRuns) {
            marks.remarks.emplace_back(each);
        }
        if (std::ranges::any_of(marks.students, [](const Student& each) { return each.number.empty(); })) {
            marks.remarks.emplace_back(LS_TR("Messages", "a student has no number"));
        }
        for (const Candidate& each : m_candidates) {
            if (each.countsFor.empty() && shareStudents(each.handIn.state.students(), marks.students)) {
                marks.others.push_back(analysis::cleanLine(each.submission.name));
            }
        }
        if (!marks.others.empty() && !m_haveUploads) {
            marks.remarks.emplace_back(
                LS_TR("Messages", "several hand-ins; the newest is chosen by the clock of the student's computer"));
        }
    }
    /// Of a group the earliest: one of them hands in for all.
    bool lateness(WorkMarks& marks, bool isLateByName)
    {
        bool isLateForAll = isLateByName;
        bool isKnown = isLateByName;
        bool isFirst = true;
        for (const Student& student : marks.students) {
            const auto rows = m_request.roster == nullptr ? std::vector<const RosterStudent*>()
                                                          : m_request.roster->find(student.number);
            if (rows.empty()) {
                continue;
            }
            if (const auto late = isLate(*rows.front(), m_request.deadline)) {
                isLateForAll = isFirst ? isLateByName || *late : isLateForAll && *late;
                isFirst = false;
                isKnown = true;
            }
        }
        if (m_request.deadline && !isKnown) {
            marks.remarks.emplace_back(LS_TR("Messages", "the roster does not say when it was handed in"));
        }
        return isLateForAll;
    }
    void finish()
    {
        const auto order = [](const WorkMarks& work) {
            return std::tuple(normalizedNumber(work.students.empty() ? "" : work.students.front().number), work.file);
        };
        std::ranges::sort(m_made.unread, {}, &Unread::file);
        for (const std::string& name : m_request.again) {
            const bool isThere = std::ranges::any_of(m_made.chosen, [&name](const ChosenRun& each) {
                return each.run.id.text == name
                    || std::ranges::find(each.students, name, &Student::number) != each.students.end();
            });
            if (!isThere) {
                m_made.remarks.emplace_back(
                    LS_TR("Messages", "%1 is neither a run nor a student's number"), std::vector<Text>{verbatim(name)});
            }
        }
        std::ranges::transform(
            m_drawn, std::back_inserter(m_made.chosen), [](auto& drawn) { return std::move(drawn.second); });
        m_made.copies = copiesIn(m_made.traces);
        std::ranges::sort(m_made.marks.works, {}, order); // and so are the lines
        if (m_request.before) {
            m_made.differences = keepByHand(m_made.marks, *m_request.before);
        }
        for (const Marks& other : m_request.others) {
            auto conflicts = merge(m_made.marks, other);
            std::ranges::move(conflicts, std::back_inserter(m_made.conflicts));
        }
        std::ranges::sort(m_made.marks.works, {}, order);
    }

    const GradeRequest& m_request;
    Grading m_made;
    std::vector<Candidate> m_candidates;
    std::map<std::pair<std::size_t, QByteArray>, ChosenRun> m_drawn; ///< by place among those of its hand-in, and hash
    bool m_haveUploads = false; ///< every file has the LMS's number
};

} // namespace

Result<void> GradeProgress::checkCancelled() const
{
    return cancelled != nullptr && cancelled->load() ? failure(LS_TR("Messages", "cancelled: nothing was written"))
                                                     : Result<void>();
}

Result<Grading> grade(const GradeRequest& request)
{
    return Grader(request).grading();
}

std::vector<Text> fillRoster(Roster& roster, const Marks& marks)
{
    std::vector<Text> missing;
    for (const WorkMarks& work : marks.works) {
        for (const Student& student : work.students) {
            const auto rows = roster.find(student.number);
            for (const RosterStudent* row : rows) {
                roster.setPoints(*row, work.points(), work.of());
            }
            if (rows.empty()) {
                missing.emplace_back(
                    LS_TR("Messages", "%1 is not in the roster"), std::vector<Text>{verbatim(namesIn({student}))});
            }
        }
    }
    return missing;
}

} // namespace lockstep::laboratory::grading
