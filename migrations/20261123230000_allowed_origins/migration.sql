-- Origins of a team's own sites, whose pages may read with its tokens. Looked up among all teams where a browser asks before it sends a token.
ALTER TABLE "teams" ADD COLUMN "allowed_origins" TEXT[] DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "teams_allowed_origins" ON "teams" USING GIN ("allowed_origins");
