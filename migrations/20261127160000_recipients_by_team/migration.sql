-- Whether any rule of a team names an address is asked at every change of a rule, and of all addresses every fifteen seconds: all recipients of all
-- teams were read for it.
CREATE INDEX "alert_recipients_team_id_email_idx" ON "alert_recipients" ("team_id", "email");
