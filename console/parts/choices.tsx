interface Props {
  /** Of the form's values, one for each that is ticked. */
  name: string
  legend: string
  faults: string[] | undefined
  choices: readonly { name: string; label: string; description: string }[]
  /** Which are ticked to begin with. */
  chosen: (name: string) => boolean
}

/** Any number of things out of a list. */
export function Choices({ name, legend, faults, choices, chosen }: Props) {
  return (
    <fieldset className="panel">
      <legend className="small">
        {legend} {faults && <span className="fault">{faults.join(' ')}</span>}
      </legend>
      {choices.map((one) => (
        <label key={one.name} className="row" title={one.description}>
          <input type="checkbox" name={name} value={one.name} defaultChecked={chosen(one.name)} /> {one.label}
        </label>
      ))}
    </fieldset>
  )
}
