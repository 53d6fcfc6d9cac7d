export { MailboxProbe, type ProbeAnswer, type ProbeKind, type ProbeQuestion } from './port/mailbox.probe';
export { ProbeModule } from './probe.module';
