import { useEffect } from 'react'
import { nameThing } from '../window-title.ts'

/** The heading of one thing's page, which names its window too. */
export function PageName({ children: name }: { children: string }) {
  useEffect(() => {
    nameThing(name)
    return () => nameThing(null)
  }, [name])
  return <h1>{name}</h1>
}
