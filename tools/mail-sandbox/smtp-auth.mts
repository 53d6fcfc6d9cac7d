import type {
  SMTPServer,
  SMTPServerAuthentication,
  SMTPServerAuthenticationResponse,
  SMTPServerSession,
} from 'smtp-server';

/** A unique value, so that tests detect leaks. */
export const PASSWORD = 'sandbox-password';
export const TOKEN = 'secret-token';

/** Google's documented response for an invalid or expired token; base64 of this JSON is the 334 challenge. */
const EXPIRED = { status: '401', schemes: 'bearer', scope: 'https://mail.google.com/' };
const SEPARATOR = '\u0001';
const REFUSED = '5.7.8 Username and Password not accepted';

/** Accepts any user with the one password or the one token. */
export function decideLogin(auth: SMTPServerAuthentication): SMTPServerAuthenticationResponse {
  if (auth.method === 'XOAUTH2') return auth.accessToken === TOKEN ? { user: auth.username } : { data: EXPIRED };
  return auth.password === PASSWORD && auth.username ? { user: auth.username } : { message: REFUSED };
}

/** RFC 7628: `n,a=user@host,^Ahost=…^Aauth=Bearer token^A^A`; converted to the form of XOAUTH2. */
export function asXoauth2(response: string): string {
  const fields = Buffer.from(response, 'base64').toString().split(SEPARATOR);
  const user = /^n,a=([^,]*),/.exec(fields[0] ?? '')?.[1] ?? '';
  const bearer = fields.find((field) => /^auth=bearer /i.test(field)) ?? '';
  const unescaped = user.replaceAll('=2C', ',').replaceAll('=3D', '=');
  return Buffer.from([`user=${unescaped}`, bearer, '', ''].join(SEPARATOR)).toString('base64');
}

type Connection = SMTPServer['connections'] extends Set<infer One> ? One : never;

export function toConnection(server: SMTPServer, session: SMTPServerSession): Connection | undefined {
  for (const connection of server.connections) if (connection.session === session) return connection;
  return undefined;
}

/**
 * smtp-server does not support OAUTHBEARER: such a command is converted to the equivalent XOAUTH2. Its final answer to
 * a rejected token has no enhanced code, on which clients decide, so one is added.
 */
export function completeAuth(connection: Connection): void {
  const { handler_AUTH: handle, send } = connection;
  const translated = (response: string): Buffer => Buffer.from(`AUTH XOAUTH2 ${asXoauth2(response)}`);
  connection.handler_AUTH = (command, callback) => {
    const [, response] = /^AUTH\s+OAUTHBEARER(?:\s+(\S+))?\s*$/i.exec(command.toString()) ?? [];
    if (!/^AUTH\s+OAUTHBEARER\b/i.test(command.toString())) return handle.call(connection, command, callback);
    if (response) return handle.call(connection, translated(response), callback);
    connection._nextHandler = (line, done) => handle.call(connection, translated(line.toString()), done);
    connection.send(334);
    callback();
  };
  connection.send = (code, data, context) => {
    const bare = code === 535 && typeof data === 'string' && data.startsWith('Error: ');
    send.call(connection, code, bare ? REFUSED : data, context);
  };
}
