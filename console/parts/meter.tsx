interface Props {
  label: string
  used: number
  limit: number
}

/** How much of a limit is used, in figures and as a bar. */
export function Meter({ label, used, limit }: Props) {
  const share = limit > 0 ? Math.min(used / limit, 1) : 1
  return (
    <div className="meter">
      <div className="meter-words">
        <span>{label}</span>
        <span className="soft">
          {used.toLocaleString('en-US')} of {limit.toLocaleString('en-US')}
        </span>
      </div>
      <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none">
        <rect className="whole" width={100} height={1} />
        <rect className={share >= 0.9 ? 'taken full' : 'taken'} width={share * 100} height={1} />
      </svg>
    </div>
  )
}
