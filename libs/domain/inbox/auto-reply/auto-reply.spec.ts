import { classifyAutoReply } from './auto-reply';
import { getMail } from './testing/mail';
import { BY_PEOPLE } from './testing/people';
import { BY_HEADERS, BY_PHRASES, BY_SUBJECT } from './testing/samples';

describe('judgeAutoReply', () => {
  it.each([...BY_HEADERS, ...BY_SUBJECT, ...BY_PHRASES])('recognises %s', (_, rule, kind, returnsOn, mail) => {
    expect(classifyAutoReply(getMail(mail))).toEqual({ rule, kind, returnsOn });
  });

  it.each(BY_PEOPLE)('treats %s as a person', (_, mail) => {
    expect(classifyAutoReply(getMail(mail))).toBeNull();
  });
});
