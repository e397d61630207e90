/** Says in a form that somebody else has changed what it is about. */
export function ChangedMeanwhile() {
  return (
    <div className="notice warn" role="status">
      This was changed elsewhere since you began. What you change here is saved, and the rest stays as it is there.
    </div>
  )
}
