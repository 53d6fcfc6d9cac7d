import { describeMailboxProbe } from '../conformance/probe-conformance';
import { HandTimer, MxServer, getProbe } from '../testing';
import { controls } from '../testing/probe-harness';

describeMailboxProbe('SMTP', async () => {
  const silent = new Set<string>();
  const server: MxServer = await MxServer.start({
    on: {
      RCPT: (seen, line) => {
        const isSilent = [...silent].some((address) => line.includes(address));
        return isSilent ? { next: 'hang' } : server.recipient(seen, line);
      },
    },
  });
  const timer = new HandTimer();
  return {
    probe: getProbe({ port: server.smtp.port, timer }),
    hosts: ['mx.example.com'],
    has: (address, state) => void server.mailboxes.set(address, state),
    takesEverything: () => {
      server.takesEverything = true;
    },
    staysSilent: (address) => void silent.add(address),
    deadline: () => timer.in(60_000),
    asked: () => server.recipients.filter((address) => !address.startsWith(controls.at('example.com'))),
    close: () => server.close(),
  };
});
