/** The paths of icons, drawn as lines of 24 by 24. */
export const HOME = 'M4 11l8-7 8 7v9h-5v-6H9v6H4z';
export const CHART = 'M4 20V10M10 20V4M16 20v-7M21 20H3';
export const PEOPLE =
  'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M16 3.5a4 4 0 0 1 0 7M18 15.5c2.5.8 4 2.6 4 5.5';
export const ARROWS = 'M4 8h14l-4-4M20 16H6l4 4';
export const MONEY = 'M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 9.5v.01M18 14.5v.01';
export const SLIDERS = 'M4 7h9M19 7h1M4 17h1M11 17h9M16 4v6M8 14v6';
export const CODE = 'M8 7l-5 5 5 5M16 7l5 5-5 5';
export const LINK = 'M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1';
export const PERSON = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6';

export function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
