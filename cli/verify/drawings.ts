import type { Box } from './geometry.ts'
import type { Line } from './letters.ts'

/** Visible content of a page: its text and drawings. */
export interface PageContent {
  lines: Line[]
  size: Box
  /** Positions of raster pictures. */
  pictures: Box[]
  /** Positions of shapes other than lines and frames. */
  drawings: Box[]
}

/**
 * Finds pictures and drawings in places where documents have none, because they could show any figure. The pictures of a document are
 * the team's logo on the cover and photographs; its drawings are the QR code on the cover, the days around a date of loss, the map and
 * the timeline.
 */
export function misplacedDrawings(pages: readonly PageContent[]): string[] {
  return pages.flatMap((page, index) => {
    const has = (heading: string, of: PageContent | undefined = page) => of?.lines.some(({ text }) => text === heading) ?? false
    const pictures = page.pictures.filter(
      (box) => !(index === 0 && isLogo(box, page.size)) && !has('Imagery') && !has('Imagery', pages[index - 1]),
    )
    const drawings = page.drawings.filter(
      (box) => !(index === 0 && isQrCode(box, page.size)) && !has(DAYS_HEADING) && !has('Map') && !has('Timeline'),
    )
    return [
      ...(pictures.length > 0 ? [`page ${index + 1}: a picture is in a place where documents have none`] : []),
      ...(drawings.length > 0 ? [`page ${index + 1}: a drawing is in a place where documents have only text`] : []),
    ]
  })
}

/** The heading above the drawing of the days, on any page. */
const DAYS_HEADING = 'The day and its rivals in the window'

/** Points: a logo is at most 180 wide and 36 high, at the top left within the margins. */
const LOGO = { width: 182, height: 38, right: 230, below_top: 110 }

function isLogo({ left, bottom, right, top }: Box, page: Box): boolean {
  return right - left <= LOGO.width && top - bottom <= LOGO.height && right <= page.left + LOGO.right && bottom >= page.top - LOGO.below_top
}

/** Points: the QR code is 80 wide, at the top right within the margins. */
const QR_CODE = { from_right: 150, below_top: 200 }

const isQrCode = ({ left, bottom }: Box, page: Box) => left >= page.right - QR_CODE.from_right && bottom >= page.top - QR_CODE.below_top
