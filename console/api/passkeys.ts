import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { call } from './session.ts'

export interface Passkey {
  id: string
  name: string
  /** Whether a password manager stores it on more than one device. */
  backed_up: boolean
  created_at: string
  used_at: string | null
}

export const readPasskeys = () => call<{ passkeys: Passkey[] }>('/passkeys')
export const removePasskey = (id: string) => call<null>('/passkeys/remove', { id })

/** Creates a passkey in the browser and registers it with the service. */
export async function registerPasskey(name: string): Promise<Passkey> {
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>('/passkeys/options', {})
  const { id, response } = await withReadableErrors(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports } = response
  return call('/passkeys', { name, response: { id, response: { clientDataJSON, attestationObject, transports } } })
}

/**
 * Waits until the person chooses a passkey in the browser, which signs the service's challenge with it.
 * @param inField offers passkeys in the e-mail field, if the browser can, instead of asking at once
 */
export async function choosePasskey({ inField }: { inField: boolean }): Promise<AuthenticationResponseJSON> {
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>('/sign-in/passkey/options', {})
  return withReadableErrors(startAuthentication({ optionsJSON, useBrowserAutofill: inField }))
}

/** Signs in with a passkey that the person has chosen. */
export async function signInByPasskey({ id, response }: AuthenticationResponseJSON): Promise<void> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  await call('/sign-in/passkey', { response: { id, response: { clientDataJSON, authenticatorData, signature, userHandle } } })
}

async function withReadableErrors<Made>(ceremony: Promise<Made>): Promise<Made> {
  try {
    return await ceremony
  } catch (fault) {
    throw new Error(messageOfFault(fault), { cause: fault })
  }
}

function messageOfFault(fault: unknown): string {
  const code = fault instanceof WebAuthnError ? fault.code : null
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'This device already has a passkey of yours.'
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID')
    return "Passkeys work only at the service's own address. Open the console there."
  if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT')
    return 'This device cannot verify that it is you. Set up a PIN, a fingerprint or a face, or use another device.'
  return 'No passkey was used. Try again, or sign in with a link by e-mail.'
}
