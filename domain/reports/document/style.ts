import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const FACES = [
  ['latin', 400],
  ['latin', 600],
  ['latin', 700],
  ['latin-ext', 400],
  ['latin-ext', 600],
] as const
/** The characters of each font file, as the fonts' makers divide them. */
const RANGES = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
}

let cached: string | undefined

/** Returns the document's style with its fonts embedded: printing needs no network. */
export function documentStyle(): string {
  cached ??=
    FACES.map(([subset, weight]) => {
      const file = require.resolve(`@fontsource/inter/files/inter-${subset}-${weight}-normal.woff2`)
      return `@font-face{font-family:Inter;font-weight:${weight};src:url(data:font/woff2;base64,${readFileSync(file).toString('base64')}) format('woff2');unicode-range:${RANGES[subset]}}`
    }).join('') + RULES
  return cached
}

const RULES = `
*{box-sizing:border-box}
body{margin:0;font:400 9.5pt/1.42 Inter,'Noto Sans',sans-serif;color:#16191d}
h1{font-size:19pt;line-height:1.15;margin:2pt 0 4pt;font-weight:700}
h2{font-size:12.5pt;margin:16pt 0 5pt;padding-bottom:2pt;border-bottom:1pt solid #c8ccd0;break-after:avoid;font-weight:700}
h3{font-size:10.5pt;margin:8pt 0 2pt;break-after:avoid;font-weight:600}
p{margin:0 0 4pt;overflow-wrap:anywhere}
ul{margin:0 0 4pt;padding-left:14pt}
.cover{display:flex;justify-content:space-between;gap:18pt;border-bottom:2pt solid #16191d;padding-bottom:8pt}
.cover>div:first-child{flex:1;min-width:0}
.kind{text-transform:uppercase;letter-spacing:.08em;font-size:8pt;color:#4a5560;margin:0}
.brand{font-weight:600;margin:0 0 6pt}.logo{max-height:36pt;max-width:180pt;display:block;margin-bottom:4pt}
.window{font-size:11pt}
.code{width:92pt;text-align:center}.code svg{width:80pt;height:80pt}.code .fine{white-space:nowrap;font-size:7.5pt}
.stamp{display:inline-block;padding:1pt 7pt;border:1.5pt solid;font-weight:700;letter-spacing:.08em;font-size:9pt}
.final{color:#0f5132}.provisional{color:#8a3b00}.incomplete,.sample{color:#a3182b}
.unplaced{border-left:2pt solid #8a3b00;padding:2pt 0 2pt 6pt;margin:8pt 0 0}
.sample-stamp{border:1.5pt solid #a3182b;color:#a3182b;font-weight:700;padding:3pt 6pt;margin:0 0 8pt;text-align:center}
dl{margin:0}dt{font-size:8pt;color:#4a5560}dd{margin:0;overflow-wrap:anywhere}
.meta div{display:grid;grid-template-columns:96pt 1fr;gap:6pt;margin:1.5pt 0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(74pt,1fr));gap:8pt}.figures div{border:1pt solid #c8ccd0;padding:5pt 7pt}.figures dd{font-size:14pt;font-weight:700}
table{border-collapse:collapse;width:100%;margin:3pt 0 6pt}
th,td{text-align:left;padding:2.5pt 8pt 2.5pt 0;border-bottom:.5pt solid #dfe3e6;vertical-align:top;overflow-wrap:break-word}
thead{display:table-header-group}tr{break-inside:avoid}th{font-weight:600;font-size:8.5pt;white-space:nowrap}
.answers>h2{margin-top:12pt}.apart{break-inside:avoid}
.days th,.days td{padding:.5pt 8pt .5pt 0;font-size:8pt}
.whole{white-space:nowrap}
.fine{font-size:8pt;color:#3c444c;margin-bottom:2pt}.record .fine{font-size:7.6pt}
.mono{font-family:'DejaVu Sans Mono','Liberation Mono',monospace;font-size:8pt}
.url{overflow-wrap:anywhere;word-break:break-all}
.record{break-inside:avoid;border-bottom:.5pt solid #dfe3e6;padding:4pt 0 3pt 24pt}
.number{display:inline-block;width:21.5pt;margin-left:-24pt}
.caveat{font-size:8pt;color:#8a3b00;margin-bottom:2pt}
.quote{font-size:8.5pt;padding-left:7pt;border-left:2pt solid #dfe3e6;white-space:pre-line}
.badge{border:.75pt solid #4a5560;font-size:7pt;padding:0 3pt;text-transform:uppercase}
.finding{break-inside:avoid}
.keep{break-inside:avoid}
figure{margin:0}figcaption{font-size:8pt;color:#3c444c}
.mapped{display:flex;gap:12pt}.mapped figure{flex:0 0 370pt}.map{width:100%;display:block;border:.5pt solid #c8ccd0}
.chart{width:100%}
svg text.small{font:600 10px Inter,sans-serif;fill:#222}svg text.county{font:400 10px Inter,sans-serif;fill:#5d655c}svg text.town{font:400 10px Inter,sans-serif;fill:#2f3640}
.legend{list-style:none;padding:0;display:grid;gap:3pt;font-size:8pt}.legend.across{display:flex;flex-wrap:wrap;gap:2pt 12pt}.key{width:9pt;height:9pt;vertical-align:middle}
.photographs{display:flex;gap:8pt;flex-wrap:wrap}.photographs figure{flex:1 0 200pt}.photographs p{flex:1 0 100%}.photographs img{width:100%;max-height:230pt;object-fit:cover}
`
