import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Site } from './site.ts'

/** Shell lines that harm containers at work, and repair them. `$id` is a container, `$service` its name in the network. */
interface Fault {
  name: string
  /** Lines that print the affected services. */
  find: string
  harm: string
  heal: string
  lasts_ms: number
}

/** The network of the servers, which every process joins besides its own. */
const NETWORK = '"$COMPOSE_PROJECT_NAME"_servers'
const cut = {
  harm: `docker network disconnect ${NETWORK} $id`,
  heal: `docker network connect --alias $service ${NETWORK} $id`,
}
/** The same for a network with chosen addresses: the container comes back with its own address. */
const cutOff = {
  harm: `docker inspect -f "{{(index .NetworkSettings.Networks \\"$COMPOSE_PROJECT_NAME"_servers"\\").IPAddress}}" $id > .address-$id
${cut.harm}`,
  heal: `docker network connect --alias $service --ip $(cat .address-$id) ${NETWORK} $id`,
}
const paused = { harm: 'docker pause $id', heal: 'docker unpause $id' }
const killed = { harm: 'docker kill -s KILL $id', heal: 'docker start $id' }

/** Longer than any timeout for a frozen process. */
const HARM_LASTS_MS = 20_000
const TWO_MINUTES_MS = 120_000

const eachOf = (harms: Record<string, Pick<Fault, 'harm' | 'heal'>>) => (name: string, find: string) =>
  Object.entries(harms).map(([done, how]) => ({ name: `${name} ${done}`, find, ...how, lasts_ms: HARM_LASTS_MS }))
const apart = (how: Pick<Fault, 'harm' | 'heal'>) => ({
  name: 'one network cut from the other',
  find: 'echo api worker documents',
  ...how,
  lasts_ms: TWO_MINUTES_MS,
})

const eachHarm = eachOf({ paused, 'cut from the network': cut, killed })
/** The faults for the containers of docker-compose.yml. */
export const faults: Fault[] = [...['worker', 'redis', 'postgres'].flatMap((service) => eachHarm(service, `echo ${service}`)), apart(cut)]

/** The service that is Redis' master now, as a responding sentinel reports it. */
const MASTER = `for sentinel in sentinel-1 sentinel-2 sentinel-3; do
  address=$(docker compose exec -T $sentinel redis-cli -p 26379 sentinel get-master-addr-by-name weather | head -1) && break
done
for service in redis redis-2; do
  if [ "$(docker compose exec -T $service hostname -i | tr -d ' ')" = "$address" ]; then echo $service; fi
done`

const servers = ['postgres', 'replica', 'pgbouncer', 'bucket', 'sentinel-1']
const everyContainer = [...servers, 'redis', 'redis-2', 'sentinel-2', 'sentinel-3', 'documents', 'worker', 'api']

const eachHarmOfFleet = eachOf({ paused, 'cut from the network': cutOff, killed })
/** The faults for each server of the fleet, and for the fleet as a whole. */
export const fleetFaults: Fault[] = [
  ...servers.flatMap((service) => eachHarmOfFleet(service, `echo ${service}`)),
  ...eachHarmOfFleet('the master of Redis', MASTER),
  apart(cutOff),
  { name: 'every container killed', find: `echo ${everyContainer.join(' ')}`, ...killed, lasts_ms: HARM_LASTS_MS },
]

/** Jobs of the broken part are issued again after 60 s at most, and the sweep runs every 15 s. */
const COMPLETE_WITHIN_MS = 300_000
const DONE_WITHIN_MS = 60_000
const ANSWER_WITHIN_MS = 15_000
/** Requested before, during and after the fault. */
const REPORTS = 12

/** Requests reports during the faults. Each must be complete in the end, none may exist twice, and no invariant may be broken. */
export async function breakAndHeal(site: Site, token: string, fault: Fault, doctor: () => Promise<void>): Promise<string> {
  const services = (await site.terminal.paste(fault.find, DONE_WITHIN_MS)).trim().replaceAll('\n', ' ')
  const run = (line: string) =>
    site.terminal.paste(
      `for service in ${services}; do for id in $(docker compose ps -aq $service); do ${line}; done; done`,
      DONE_WITHIN_MS,
    )
  const before = await howMany(site, token)
  const requests: Promise<string>[] = []
  const sending = (async () => {
    for (let nth = 0; nth < REPORTS; nth++) {
      const one = insist(site, token, nth)
      // Awaited at the end; until then a failure must not count as unhandled.
      one.catch(() => {})
      requests.push(one)
      await pause(fault.lasts_ms / REPORTS)
    }
  })()
  await requests[0]
  await run(fault.harm)
  await pause(fault.lasts_ms)
  await run(fault.heal)
  const healed = performance.now()
  await sending
  const ids = await Promise.all(requests)
  for (const id of ids) await complete(site, token, id)
  const took = ((performance.now() - healed) / 1000).toFixed(0)
  const after = await howMany(site, token)
  if (after - before !== REPORTS) throw new Error(`${REPORTS} reports were asked for, ${after - before} were made`)
  await doctor()
  return `${REPORTS} reports complete ${took} s after`
}

/** Requests under a key of its own, from one API container or the other, until there is a response. */
async function insist(site: Site, token: string, nth: number): Promise<string> {
  const key = randomUUID()
  const body = JSON.stringify({ address: '33.1499, -96.8241', window_start: '2019-01-01', window_end: '2019-01-31' })
  const until = Date.now() + COMPLETE_WITHIN_MS
  for (let turn = nth; Date.now() < until; turn++) {
    const answer = await ask(site, token, turn, '/reports', { method: 'POST', body, headers: { 'idempotency-key': key } })
    if (answer?.ok) return ((await answer.json()) as { data: { id: string } }).data.id
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(`${answer.status} ${await answer.text()}`)
    if (answer?.status === 500) throw new Error(`an outage was answered with 500: ${await answer.text()}`)
    await pause(500)
  }
  throw new Error('a report could not be asked for')
}

async function complete(site: Site, token: string, id: string): Promise<void> {
  const until = Date.now() + COMPLETE_WITHIN_MS
  let last = ''
  for (let turn = 0; Date.now() < until; turn++) {
    const answer = await ask(site, token, turn, `/reports/${id}`)
    last = answer?.ok ? ((await answer.json()) as { data: { status: string } }).data.status : String(answer?.status)
    if (last === 'complete') return
    if (last === 'failed') break
    await pause(500)
  }
  throw new Error(`report ${id} is not complete: ${last}`)
}

async function howMany(site: Site, token: string): Promise<number> {
  const answer = await ask(site, token, 0, '/reports?per_page=1')
  if (!answer?.ok) throw new Error(`the reports cannot be counted: ${answer?.status}`)
  return ((await answer.json()) as { meta: { total: number } }).meta.total
}

/** Null if the connection was refused or lost, or no response came in time. */
function ask(site: Site, token: string, turn: number, at: string, { headers, ...init }: RequestInit = {}): Promise<Response | null> {
  return fetch(`${site.base_urls[turn % 2]}/api/v1${at}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch(() => null)
}
