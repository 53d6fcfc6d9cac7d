export interface DnsSettings {
  port: number;
  /** Names of the zones; the records of each are in `<zonesFolder>/<name>.zone`. */
  zones: readonly string[];
  /** Path inside the server. */
  zonesFolder: string;
}

/**
 * NSD for tests: authoritative for its zones over UDP and TCP on loopback, everything else is REFUSED. It does not resolve,
 * transfers nothing, has no control port and needs no root.
 *
 * Zone names become file names and configuration lines: a name that is not a plain host name is rejected.
 */
export function nsdConfiguration({ port, zones, zonesFolder }: DnsSettings): string {
  for (const zone of zones) if (!ZONE_NAME.test(zone)) throw new Error(`"${zone}" cannot be the name of a zone here`);
  return `server:
  ip-address: 127.0.0.1@${port}
  do-ip6: no
  server-count: 1
  username: ""
  chroot: ""
  pidfile: ""
  zonesdir: "${zonesFolder}"
  zonelistfile: "/tmp/zone.list"
  xfrdfile: ""
  xfrdir: "/tmp"
  tcp-count: 200
  # Many suites ask from one address: none of them is an attack.
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
${zones.map((zone) => `zone:\n  name: "${zone}"\n  zonefile: "${zone}.zone"\n`).join('')}`;
}

const ZONE_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
