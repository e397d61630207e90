-- Whoever runs the install may be a person who signs in: what they may do as an operator, empty for everybody else.
ALTER TABLE "people" ADD COLUMN "operator_roles" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "people" ADD CONSTRAINT "people_operator_roles" CHECK ("operator_roles" <@ ARRAY['read', 'archive', 'billing', 'all']);

-- A link that an owner passes on by hand shows nothing about the address: until mail or the operator carries it, it is of that kind.
ALTER TABLE "sign_in_links" ADD COLUMN "handed_over" BOOLEAN NOT NULL DEFAULT true;
-- A team makes no other.
ALTER POLICY invited ON "sign_in_links"
  WITH CHECK (handed_over AND EXISTS (SELECT FROM invitations i WHERE i.id = sign_in_links.invitation_id AND i.email = sign_in_links.email));
