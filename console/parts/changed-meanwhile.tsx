/** A notice in a form that somebody else has changed the same thing. */
export function ChangedMeanwhile() {
  return (
    <div className="notice warn" role="status">
      This was changed elsewhere after you opened it. Only the fields that you change are saved; the other changes stay.
    </div>
  )
}
