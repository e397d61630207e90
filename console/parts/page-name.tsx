import { useEffect } from 'react'
import { setRecordName } from '../window-title.ts'

/** The heading of a thing's page, which also sets the window title. */
export function PageName({ children: name }: { children: string }) {
  useEffect(() => {
    setRecordName(name)
    return () => setRecordName(null)
  }, [name])
  return <h1>{name}</h1>
}
