#pragma once
// Debian builds libxml2 with ICU, and <libxml/encoding.h> then includes the system's
// ICU headers, whose enums clash with those of the ICU inside Swift's Foundation
// ("'UErrorCode' has different definitions in different modules"). We use none of it.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/dict.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
