import { DnsPort } from '@adapters/dns';
import { checkHost } from '@domain/deliverability';
import { Command } from 'commander';
import { onPlatform } from '../command';

interface SpfOptions {
  from: string;
  helo?: string;
}

/** The question of a receiver, asked of the resolvers that the platform asks. */
export function spfCommand(): Command {
  return new Command('spf')
    .description('check whether SPF of a domain allows a host to send, as a receiver checks it (RFC 7208)')
    .argument('<ip>', 'IPv4 or IPv6 address of the host')
    .option('--from <address>', 'MAIL FROM address; without it the HELO name is checked', '')
    .option('--helo <name>', 'HELO name of the host; default: the domain of --from')
    .action((ip: string, { from, helo = getDomain(from) }: SpfOptions, command: Command) => {
      if (helo === '') command.error("error: give '--from <address>', '--helo <name>' or both");
      return onPlatform(command, (service) =>
        checkHost(service(DnsPort), { ip, sender: from, helo }).catch((error: unknown) => {
          if (error instanceof RangeError) command.error(`error: ${error.message}`);
          throw error;
        }),
      );
    });
}

function getDomain(sender: string): string {
  return sender.slice(sender.lastIndexOf('@') + 1);
}
