// `npm run generate`: the database code again, after a change of schema.prisma. A start does this by itself.
import { generateCode } from './prepare.mjs'

await generateCode()
