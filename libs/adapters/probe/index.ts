export { MailboxProbePort, type ProbeAnswer, type ProbeKind, type ProbeQuestion } from './port/mailbox-probe.port';
export { ProbeModule } from './probe.module';
