/** Where the DNS server (NSD) of the running mail sandbox (tools/mail-sandbox) listens, as `DNS_SERVERS` has it. */
export function sandboxDns(): string {
  const text = process.env['MAIL_SANDBOX'];
  if (!text) throw new Error('MAIL_SANDBOX is not set: start tools/mail-sandbox/main.mts and put its line there');
  const { dns, off = '' } = JSON.parse(text) as { dns?: { host: string; port: number }; off?: string };
  if (!dns) throw new Error(`The mail sandbox has no DNS server ${off}`);
  return `${dns.host}:${dns.port}`;
}
