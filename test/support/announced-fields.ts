import { DomUtils, parseDocument } from 'htmlparser2';

/**
 * What a screen reader announces for the fields of a page: the name, whether the value is invalid, and the description.
 */
export function announcedFields(html: string): readonly (readonly [name: string, isWrong: boolean, words: string])[] {
  const page = parseDocument(html);
  const textOf = (id: string): string => DomUtils.textContent(DomUtils.getElementById(id, page) ?? []).trim();
  return DomUtils.getElementsByTagName('input', page).flatMap(({ attribs }) => {
    const by = attribs['aria-describedby']?.split(' ') ?? [];
    const isWrong = attribs['aria-invalid'] === 'true';
    return isWrong || by.length > 0 ? [[attribs['name'] ?? '', isWrong, by.map(textOf).join(' ')] as const] : [];
  });
}
