-- What is to be cleared away is found by when it ended: where nothing is, all versions of observations and warnings were read every fifteen seconds.
CREATE INDEX observation_versions_until_revision_idx ON observation_versions (until_revision);
CREATE INDEX warning_message_versions_until_revision_idx ON warning_message_versions (until_revision);
