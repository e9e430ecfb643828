/* sssnake.exe: Python in this process, so that a GUI that kills the process kills the engine.
 *
 * Beside it lies python\, with Python's libraries and the engine; python313._pth there says what is imported, so
 * nothing that is installed or set on the machine matters. Only Windows' own functions are used: no C runtime.
 */

#include <windows.h>
#include <shellapi.h>

#define LONGEST 32768
#define MOST_WORDS 1024

/* The manifest, a resource: Windows then takes paths of more than 260 characters. Directories of its type
 * (24), its number (1) and its language lead to it. */
#define DIRECTORY(id, entry) ".long 0, 0\n.short 0, 0, 0, 1\n.long " id ", " entry "\n"
__asm__(".section .rsrc, \"dr\"\n"
        "types: " DIRECTORY("24", "0x80000000 + numbers - types")
        "numbers: " DIRECTORY("1", "0x80000000 + languages - types")
        "languages: " DIRECTORY("1033", "entry - types")
        "entry: .rva manifest\n.long end - manifest, 0, 0\n"
        "manifest: .ascii \"<assembly xmlns='urn:schemas-microsoft-com:asm.v1' manifestVersion='1.0'>"
        "<application xmlns='urn:schemas-microsoft-com:asm.v3'><windowsSettings>"
        "<longPathAware xmlns='http://schemas.microsoft.com/SMI/2016/WindowsSettings'>true</longPathAware>"
        "</windowsSettings></application></assembly>\"\n"
        "end:\n.text\n");

typedef int (*Main)(int argc, wchar_t **argv);

static wchar_t folder[LONGEST], library[2 * LONGEST], python[2 * LONGEST];
static wchar_t *words[MOST_WORDS + 4];

static void say(const wchar_t *text)
{
    static char bytes[4 * LONGEST];
    DWORD written;
    int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, NULL, NULL);
    if (length > 1)
        WriteFile(GetStdHandle(STD_ERROR_HANDLE), bytes, (DWORD) length - 1, &written, NULL);
}

static int fail(const wchar_t *name, const wchar_t *what)
{
    say(L"sssnake: ");
    say(name);
    say(what);
    return 2;
}

static int run(void)
{
    int argc, count = 0;
    wchar_t **argv = CommandLineToArgvW(GetCommandLineW(), &argc);
    DWORD length = GetModuleFileNameW(NULL, folder, LONGEST);
    HMODULE loaded;
    Main py_main;
    while (length > 0 && folder[length - 1] != L'\\')
        length--;
    if (argv == NULL || length == 0 || length >= LONGEST - 1)
        return fail(L"sssnake.exe", L" cannot find itself\n");
    folder[length] = 0;
    lstrcpyW(library, folder);
    lstrcatW(library, L"python\\python313.dll");
    lstrcpyW(python, folder);
    lstrcatW(python, L"python\\python.exe");
    loaded = LoadLibraryExW(library, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    py_main = loaded == NULL ? NULL : (Main) (void *) GetProcAddress(loaded, "Py_Main");
    if (py_main == NULL)
        return fail(library, L" cannot be loaded: unpack the whole zip, and keep its files together\n");
    words[count++] = python;                /* sys.executable, which starts worker processes */
    words[count++] = L"-m";
    words[count++] = L"sssnake";
    for (int i = 1; i < argc && i < MOST_WORDS; i++)
        words[count++] = argv[i];
    return py_main(count, words);
}

void start(void)
{
    ExitProcess((UINT) run());
}
