import { type Login } from '../port/account';
import { type Capabilities } from './smtp-conversation';
import { base64, plainResponse, xoauth2Response } from './secret-mask';

export type Mechanism = 'PLAIN' | 'LOGIN' | 'XOAUTH2';
export const MECHANISMS: readonly Mechanism[] = ['PLAIN', 'LOGIN', 'XOAUTH2'];

/** The mechanism for a login; null when the server offers no suitable one. */
export function chooseMechanism(login: Login, { mechanisms }: Capabilities): Mechanism | null {
  const fitting: readonly Mechanism[] = login.method === 'xoauth2' ? ['XOAUTH2'] : ['PLAIN', 'LOGIN'];
  return fitting.find((mechanism) => mechanisms.has(mechanism)) ?? null;
}

/** Logs in (RFC 4954). @returns the last reply of the server, even a refusal */
export async function exchange(
  login: Login,
  mechanism: Mechanism,
  ask: (line: string) => Promise<string>,
): Promise<string> {
  const answers = responses(login);
  const initial = answers[mechanism];
  let reply = await ask(`AUTH ${mechanism}${initial.withCommand ? ` ${initial.lines[0]}` : ''}`);
  for (const line of initial.withCommand ? initial.later : initial.lines) {
    if (!reply.startsWith('334')) return reply;
    reply = await ask(line);
  }
  return reply;
}

interface Responses {
  readonly lines: readonly string[];
  /** The first line is sent with the command (RFC 4954, `initial-response`). */
  readonly withCommand: boolean;
  /** The reply to a further challenge: XOAUTH2 sends errors as a challenge, which an empty line acknowledges. */
  readonly later: readonly string[];
}

function responses(login: Login): Record<Mechanism, Responses> {
  const secret = login.method === 'password' ? login.password : login.accessToken;
  const plain = base64(plainResponse(login.user, secret));
  const token = base64(xoauth2Response(login.user, secret));
  return {
    // Some servers ignore the initial response and request it again.
    PLAIN: { lines: [plain], withCommand: true, later: [plain] },
    LOGIN: { lines: [base64(login.user), base64(secret)], withCommand: false, later: [] },
    XOAUTH2: { lines: [token], withCommand: true, later: [''] },
  };
}
