import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** TCP_ESTABLISHED in /proc/net/tcp. */
const ESTABLISHED = '01';

/** Established TCP connections of a process to a port, over IPv4 and IPv6. */
export function connectionsTo(pid: number, port: number): number {
  const sockets = listSockets(pid);
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['tcp', 'tcp6'].flatMap((family) => readFileSync(`/proc/${pid}/net/${family}`, 'utf8').split('\n'));
  // Fields: slot, local address, remote address, state, …, inode (the tenth).
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote = '', state, , , , , , inode = '']) => {
      return state === ESTABLISHED && remote.endsWith(wanted) && sockets.has(inode);
    }).length;
}

/** Inodes of the sockets of a process. */
function listSockets(pid: number): Set<string> {
  const inodes = readdirSync(`/proc/${pid}/fd`).map((fd) =>
    /^socket:\[(\d+)\]$/.exec(readLink(`/proc/${pid}/fd/${fd}`)),
  );
  return new Set(inodes.flatMap((match) => match?.[1] ?? []));
}

/** Empty for a descriptor that was closed after the listing. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
