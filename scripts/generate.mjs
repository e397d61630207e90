// `npm run generate`: generates the database code again after a change of schema.prisma. A start does this automatically.
import { generateCode } from './prepare.mjs'

await generateCode()
