// A Kubernetes Job with an index for each rank, the service by which they find rank 0, and what they read.
#include "launch/jobs/job_files.h"

#include <fmt/format.h>

namespace lockstep::launch {

namespace {

/// A folder is flat in a ConfigMap.
std::string keyOf(const std::string& path)
{
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string configMap(const Job& job, const std::string& name)
{
    std::string text = fmt::format("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\ndata:\n", name);
    const JobFile script = rankScript(job);
    text += fmt::format("  {}: {}\n", script.path, yamlQuoted(script.text));
    for (const JobRun& run : job.runs) {
        text += fmt::format("  {}: {}\n", keyOf(run.file), yamlQuoted(run.spec));
    }
    return text;
}

/// The files' places in the container, as rank.sh expects them.
std::string mounts(const Job& job)
{
    std::string text = "            - {name: job, mountPath: /job/rank.sh, subPath: rank.sh}\n";
    for (const JobRun& run : job.runs) {
        text
            += fmt::format("            - {{name: job, mountPath: /job/{}, subPath: {}}}\n", run.file, keyOf(run.file));
    }
    return text;
}

std::string jobText(const Job& job, const std::string& name)
{
    return fmt::format("apiVersion: batch/v1\n"
                       "kind: Job\n"
                       "metadata:\n"
                       "  name: {0}\n"
                       "spec:\n"
                       "  completionMode: Indexed\n"
                       "  completions: {1}\n"
                       "  parallelism: {1}\n"
                       "  backoffLimit: 0\n"
                       "  template:\n"
                       "    metadata:\n"
                       "      labels:\n"
                       "        app: {0}\n"
                       "    spec:\n"
                       "      subdomain: {0}\n"
                       "      restartPolicy: Never\n"
                       "      containers:\n"
                       "        - name: rank\n"
                       "          image: lockstep-rank # the image that the Containerfile builds, in your registry\n"
                       "          command: [\"sh\", \"-c\", \"exec sh /job/rank.sh $JOB_COMPLETION_INDEX {0}-0.{0}\"]\n"
                       "          env:\n"
                       "            - name: LOCKSTEP_SECRET_FILE\n"
                       "              value: /secret/secret\n"
                       "            - name: LOCKSTEP_RECORDS\n"
                       "              value: /records\n"
                       "          resources:\n"
                       "            requests:\n"
                       "              cpu: \"{2}\"\n"
                       "          volumeMounts:\n"
                       "            - {{name: secret, mountPath: /secret, readOnly: true}}\n"
                       "            - {{name: records, mountPath: /records}}\n"
                       "{3}"
                       "      volumes:\n"
                       "        - name: job\n"
                       "          configMap:\n"
                       "            name: {0}\n"
                       "        - name: secret\n"
                       "          secret:\n"
                       "            secretName: {0}\n"
                       "            defaultMode: 0400\n"
                       "        - name: records\n"
                       "          persistentVolumeClaim:\n"
                       "            claimName: {0}\n",
        name, job.mostRanks(), job.mostThreads(), mounts(job));
}

} // namespace

Result<std::vector<JobFile>> writeKubernetes(const Job& job)
{
    const std::string name = "lockstep-" + job.name;
    const std::string service = fmt::format("apiVersion: v1\nkind: Service\nmetadata:\n  name: {0}\nspec:\n"
                                            "  clusterIP: None # the pods' own addresses, by name\n"
                                            "  publishNotReadyAddresses: true\n"
                                            "  selector:\n    app: {0}\n",
        name);
    const std::string claim = fmt::format("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: {}\nspec:\n"
                                          "  accessModes: [ReadWriteMany] # all ranks write their records here\n"
                                          "  resources:\n    requests:\n      storage: 1Gi\n",
        name);
    const std::string secret
        = fmt::format("apiVersion: v1\nkind: Secret\nmetadata:\n  name: {}\ntype: Opaque\nstringData:\n  secret: {}\n",
            name, yamlQuoted(job.secret));
    const std::string separator = "---\n";
    std::vector<JobFile> files = commonFiles(job);
    files.push_back(
        {"job.yaml", configMap(job, name) + separator + service + separator + claim + separator + jobText(job, name)});
    files.push_back({"secret.yaml", secret, JobFile::Kind::Secret});
    return files;
}

} // namespace lockstep::launch
