-- The address that the company's provider vouched for in a session: invitations to it are offered in that session.
ALTER TABLE "sessions" ADD COLUMN "company_email" TEXT;
CREATE INDEX "invitations_email_idx" ON "invitations" ("email");
