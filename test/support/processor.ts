/** Returns the processor time in milliseconds that this process spends on a piece of work; other load on the machine is not in it. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
