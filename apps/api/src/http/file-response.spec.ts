import { getDisposition } from './file-response';

it.each([
  ['leads.csv', 'attachment; filename="leads.csv"'],
  ['two words.pdf', 'attachment; filename="two words.pdf"'],
  ['Überblick.pdf', `attachment; filename="_berblick.pdf"; filename*=UTF-8''%C3%9Cberblick.pdf`],
  ['見積.xlsx', `attachment; filename="__.xlsx"; filename*=UTF-8''%E8%A6%8B%E7%A9%8D.xlsx`],
  ['😀.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%98%80.png`],
  [`it's (1)*.txt`, `attachment; filename="it's (1)*.txt"`],
  [`ä's (1)*.txt`, `attachment; filename="_'s (1)*.txt"; filename*=UTF-8''%C3%A4%27s%20%281%29%2A.txt`],
  ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ['a"; x="b', `attachment; filename="a_; x=_b"; filename*=UTF-8''a%22%3B%20x%3D%22b`],
  ['a\r\nX: 1', `attachment; filename="a__X: 1"; filename*=UTF-8''a%0D%0AX%3A%201`],
  ['half\ud800', `attachment; filename="half_"; filename*=UTF-8''half%EF%BF%BD`],
])('names the file %j in a form for every browser', (name, header) => {
  expect(getDisposition(name)).toBe(header);
});
