import { type CompanyProfile } from '../profile/company-profile';

/** The default profile that the model returns. */
export const PROFILE: CompanyProfile = {
  summary: 'Acme Rail makes timetables for regional railways.',
  offerings: ['Timetable editor, 400 EUR a month'],
  audiences: ['Operators of regional railways'],
  differentiators: ['Tells the truth about delays'],
  proof: ['Forty railways use it'],
  faq: [{ question: 'Is there a trial?', answer: 'Yes, for 30 days.' }],
};

/** A page with enough text to be read. */
export function getPage(title: string, text: string, ...links: string[]): string {
  const anchors = links.map((link) => `<a href="${link}">${link}</a>`).join(' ');
  return `<html><head><title>${title}</title></head><body><nav>${anchors}</nav><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
}
