interface Props {
  /** Name of the form field, which has one value per ticked choice. */
  name: string
  legend: string
  faults: string[] | undefined
  choices: readonly { name: string; label: string; description: string }[]
  /** Which choices are ticked at first. */
  defaultChecked: (name: string) => boolean
}

/** A list of checkboxes. */
export function Choices({ name, legend, faults, choices, defaultChecked }: Props) {
  return (
    <fieldset className="panel">
      <legend className="small">
        {legend} {faults && <span className="fault">{faults.join(' ')}</span>}
      </legend>
      {choices.map((one) => (
        <label key={one.name} className="row" title={one.description}>
          <input type="checkbox" name={name} value={one.name} defaultChecked={defaultChecked(one.name)} /> {one.label}
        </label>
      ))}
    </fieldset>
  )
}
