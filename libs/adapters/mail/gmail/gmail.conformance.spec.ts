import { describeMailDriver } from '../conformance/mail-conformance';
import { GMAIL_TRAITS, openGmailWorld } from './testing/gmail-test-environment';

describeMailDriver('Gmail', openGmailWorld, GMAIL_TRAITS);
