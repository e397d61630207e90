import type { Channel } from '#domain/closed-sets.ts'
import { chatABody } from '#domain/integrations/channels/chat-a.ts'
import { chatBBody } from '#domain/integrations/channels/chat-b.ts'
import { webhookBody } from '#domain/integrations/channels/webhook.ts'
import type { Payload } from '#domain/integrations/payload.ts'

/** Formats a payload as the request body of each channel. */
export const bodies: Record<Channel, (payload: Payload) => string> = { webhook: webhookBody, chat_a: chatABody, chat_b: chatBBody }
