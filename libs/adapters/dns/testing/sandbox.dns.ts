/** The DNS server of the running mail sandbox (tools/mail-sandbox) as `DNS_SERVERS` has it; `null` where it has none. */
export function sandboxDns(): string | null {
  const sandbox = JSON.parse(process.env['MAIL_SANDBOX'] ?? '{}') as { dns?: { host: string; port: number } };
  return sandbox.dns ? `${sandbox.dns.host}:${sandbox.dns.port}` : null;
}
